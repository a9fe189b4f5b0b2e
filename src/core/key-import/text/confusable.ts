/**
 * Letters of other scripts that look like Latin ones, and what typing programs put for a hyphen: a
 * key typed off a picture or corrected by a word processor may hold them. After Unicode's table of
 * confusable characters (UTS 39, confusables.txt): what looks like A to Z, a to z, 0 to 9 or "-".
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
 * Whether a key would be plain letters, digits and hyphens if it weren't for characters that only
 * look so.
 */
export function isConfusable(key: string): boolean {
  if (!foreign.test(key)) return false
  let plain = ''
  for (const letter of key) plain += lookalikes.get(letter) ?? letter.normalize('NFKC')
  return keyLike.test(plain)
}
