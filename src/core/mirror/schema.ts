/**
 * The tables one feature keeps in an account's mirror. Step n brings the feature's tables from version n to n + 1; a step never changes once
 * released. Each feature owns its tables: nobody else's SQL names them.
 */
export type FeatureSchema = {
  feature: string
  steps: readonly string[]
}
