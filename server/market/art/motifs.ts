import { orbit, shards } from './motifs/abstract.ts'
import { beacon, forest, peaks, waves } from './motifs/landscapes.ts'
import { arches, blocks, circuit, city, grid } from './motifs/structures.ts'

export type { Motif } from './motifs/scenery.ts'

export const motifs = {
  waves,
  peaks,
  orbit,
  grid,
  shards,
  city,
  forest,
  arches,
  circuit,
  blocks,
  beacon,
} as const
