"""Records what real tools print, as cases for the tests. A recipe is data; everything around it lives here once."""
