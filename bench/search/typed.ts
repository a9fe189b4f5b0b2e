/**
 * What is typed letter by letter into the search: words in any order, their beginnings, mistakes,
 * platforms and regions. No two begin alike, for what was asked before is at hand.
 */
export const TYPED = [
  'witcer steam eu',
  'the wticher 3',
  'simualtor xbox',
  'legends of the war',
  'dark simulator deluxe steam',
  'kingdom empire gog',
]

/** Twice as much: what waits for a frame varies by itself. */
export const TYPED_LONG = [
  ...TYPED,
  'quest gold edtion',
  'xbox racing season pass',
  'heros dlc pack germany',
  'rising world',
  'age kingdm nintendo',
  'empire soundtrack eu',
]
