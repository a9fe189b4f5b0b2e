/**
 * Letters of other scripts that look like Latin ones, and characters that programs substitute for a
 * hyphen. Keys typed from a picture or edited in a word processor may contain them. Based on
 * Unicode's table of confusable characters (UTS 39, confusables.txt): characters that look like A
 * to Z, a to z, 0 to 9 or "-".
 */
const lookalikes = new Map([
  ...pairs('АВЕЅІЈКМНОРСТУХѴԌԚԜҺ', 'ABESIJKMHOPCTYXVGQWH'),
  ...pairs('аеѕіјорсухһԁԛԝѵӏьг', 'aesijopcyxhdqwvlbr'),
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ', 'ABEZHIKMNOPTYXC'),
  ...pairs('αγικνορτυχϲ', 'ayikvoptuxc'),
  ...pairs('‐‑‒–—―−⁃﹣－˗', '-----------'),
  ...pairs('ⅠⅤⅩⅬⅭⅮⅯ', 'IVXLCDM'),
  ...pairs('٠۰०০', '0000'),
])

function pairs(from: string, to: string): [string, string][] {
  return [...from].map((letter, index) => [letter, to.charAt(index)])
}

// oxlint-disable-next-line no-control-regex
const foreign = /[^\u0000-\u007f]/
const keyLike = /^[A-Za-z0-9][A-Za-z0-9 -]{3,}$/

/**
 * Whether a key would consist of plain letters, digits and hyphens without its lookalike
 * characters.
 */
export function isConfusable(key: string): boolean {
  if (!foreign.test(key)) return false
  let plain = ''
  for (const letter of key) plain += lookalikes.get(letter) ?? letter.normalize('NFKC')
  return keyLike.test(plain)
}
