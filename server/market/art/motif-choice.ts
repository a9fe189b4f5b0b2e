import type { SeededRandom } from '../random.ts'
import type { Motif } from './motifs.ts'
import { motifs } from './motifs.ts'

/** Motifs by words in the title; the first match wins. */
const hints: readonly [words: RegExp, motif: Motif][] = [
  [/racing|circuit|rally|transit|truck|league|drift protocol/, motifs.circuit],
  [/protocol|neon|cipher|engine|relay|directive|machine/, motifs.grid],
  [/lantern(?!wood)|harbou?r|beacon|signal|ferry|lighthouse|watch|vigil/, motifs.beacon],
  [
    /tide|sea\b|salt|shoal|estuary|delta|lagoon|fathom|undertow|sail|brine|coral|fleet|voyage|deep/,
    motifs.waves,
  ],
  [
    /wood|orchard|grove|garden|fern|pine|birch|bramble|thistle|thorn|forest|glade|moss/,
    motifs.forest,
  ],
  [/orbit|moon|lunar|nebula|star|meridian|zenith|equinox|solstice|skies|horizon/, motifs.orbit],
  [/wharf|tower|city|quarter|\brow\b|kitchen|parliament|market|station|colony/, motifs.city],
  [
    /gate|keep|vault|citadel|sanctum|archive|index|labyrinth|grave|marrow|passage|threshold/,
    motifs.arches,
  ],
  [/glass|shard|crystal|petal|steel|prism|quartz|flint|rift|riven/, motifs.shards],
  [/puzzle|lattice|mosaic|loom|marble|theorem|ledger|tactics/, motifs.blocks],
  [
    /ridge|summit|mesa|\bash\b|winter|frost|polar|arctic|alpine|tundra|plateau|valley|north/,
    motifs.peaks,
  ],
]

/** The motif for a series' title, or a random one. */
export const motifFor = (series: string, random: SeededRandom): Motif => {
  const title = series.toLowerCase()
  return hints.find(([words]) => words.test(title))?.[1] ?? random.pick(Object.values(motifs))
}
