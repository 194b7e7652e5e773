function pow(value, times) {
  return value ** times; // not pow("square")
}
const LIMIT = 3;
exports.half = function (value) {
  return value / LIMIT;
};
module.exports = { pow };
