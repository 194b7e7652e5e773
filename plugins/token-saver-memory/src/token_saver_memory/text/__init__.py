"""How texts are cleaned, compared and split into words before they are stored or looked for."""
