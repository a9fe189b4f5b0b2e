import type { Account } from '../../contract/accounts.ts'
import type { ConnectionFacts, CoreContext } from '../context.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import { createScope } from './scope.ts'
import type { Scope } from './scope.ts'

/** One feature of the core: its tables, the features it builds on, and how it starts. */
export type Feature<Name extends string, Needs, Api> = {
  readonly name: Name
  /** Tables in each account's files. */
  readonly schemas: readonly FeatureSchema[]
  /**
   * Starts the feature. Everything it starts belongs to `scope`.
   *
   * @param needs the features it builds on, by name
   */
  readonly start: (context: CoreContext, needs: Needs, scope: Scope) => Api
  /** What the feature adds to an account's entry in the status bar. Must be cheap. */
  readonly facts?: (api: Api, account: Account) => ConnectionFacts
}

/** Declares a feature; its types say which other features it needs. */
export const defineFeature = <Name extends string, Needs, Api>(
  feature: Feature<Name, Needs, Api>,
): Feature<Name, Needs, Api> => feature

/** Features started in the order of their dependencies. */
export interface Features<Apis> {
  /** Starts one more. The compiler rejects it when a feature that it needs hasn't been started. */
  add<Name extends string, Api>(
    feature: Feature<Name, Apis, Api>,
  ): Features<Apis & Record<Name, Api>>
  readonly apis: Apis
  /** All facts of an account for the status bar. */
  facts(account: Account): ConnectionFacts[]
  /** Ends all features, dependents before the features they need. */
  end(): Promise<void>
}

/** Starts with no feature. */
export function createFeatures(context: CoreContext): Features<unknown> {
  const scopes: Scope[] = []
  const apis: Record<string, unknown> = {}
  const facts: ((account: Account) => ConnectionFacts)[] = []
  let ended: Promise<void> | null = null

  async function end(): Promise<void> {
    const ending = scopes.toReversed()
    // Every signal aborts before the first wait, so that nothing new starts.
    for (const scope of ending) void scope.end()
    for (const scope of ending) await scope.end()
  }
  const features: Features<unknown> = {
    apis,
    add(feature) {
      const scope = createScope({
        clock: context.clock,
        report: (error) => void context.report(feature.name, error),
      })
      scopes.push(scope)
      const api = feature.start(context, apis, scope)
      apis[feature.name] = api
      if (feature.facts !== undefined) facts.push((account) => feature.facts?.(api, account) ?? {})
      return features as never
    },
    facts: (account) => facts.map((of) => of(account)),
    end: () => (ended ??= end()),
  }
  return features
}
