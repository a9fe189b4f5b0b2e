/** How features start, work and end. */
export { createAccountScopes } from './account-scopes.ts'
export type { AccountFeature, AccountScope, AccountScopes } from './account-scopes.ts'
export { createEmitter } from './emitter.ts'
export { defineFeature, featureScope, listFeatures } from './feature.ts'
export type { Feature, FeatureList } from './feature.ts'
export { createScope } from './scope.ts'
export type { Scope } from './scope.ts'
