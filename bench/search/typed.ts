/**
 * Queries that are typed letter by letter: words in any order, prefixes, typos, platforms and
 * regions. No two start alike, because results of earlier queries are cached.
 */
export const TYPED = [
  'witcer steam eu',
  'the wticher 3',
  'simualtor xbox',
  'legends of the war',
  'dark simulator deluxe steam',
  'kingdom empire gog',
]

/** Twice as many, because the time until a frame is painted varies a lot. */
export const TYPED_LONG = [
  ...TYPED,
  'quest gold edtion',
  'xbox racing season pass',
  'heros dlc pack germany',
  'rising world',
  'age kingdm nintendo',
  'empire soundtrack eu',
]
