import type { Account, Removal } from '../../contract/app/accounts.ts'
import type { ConnectionFacts, CoreContext, Duty, ReencryptFiles } from '../context.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import { createScope } from './scope.ts'
import type { Scope } from './scope.ts'

/** One feature of the core: its tables, the features it builds on, and how it starts. */
export type Feature<Name extends string, Context, Needs, Api> = {
  readonly name: Name
  /** Tables in each account's files. */
  readonly schemas: readonly FeatureSchema[]
  /** Encrypts again what the feature keeps in files of its own. */
  readonly reencryptFiles?: ReencryptFiles
  /**
   * Starts the feature. Everything it starts belongs to `scope`.
   *
   * @param context the members of the core's context that it uses
   * @param needs the features it builds on, by name
   */
  readonly start: (context: Context, needs: Needs, scope: Scope) => Api
  /** What the feature adds to an account's entry in the status bar. Must be cheap. */
  readonly facts?: (api: Api, account: Account) => ConnectionFacts
  /** Whether the feature's work in an account, whose files are open, is urgent. */
  readonly duty?: (api: Api, account: Account) => Duty
  /** The account's unfinished work in this feature, which removing the account would delete. */
  readonly unfinished?: (api: Api, account: Account) => Partial<Unfinished>
}

/** Counts of unfinished work in all features. */
export type Unfinished = Omit<Removal, 'keys'>

/** Declares a feature; its types say which other features it needs. */
export const defineFeature = <Name extends string, Context, Needs, Api>(
  feature: Feature<Name, Context, Needs, Api>,
): Feature<Name, Context, Needs, Api> => feature

/** Features in the order of their dependencies. `Given` is what the caller provides at the start. */
export interface FeatureList<Given, Apis> {
  /** Adds one more. The compiler rejects it when a feature that it needs isn't listed before it. */
  add<Name extends string, Api>(
    feature: Feature<Name, CoreContext, Apis, Api>,
  ): FeatureList<Given, Apis & Record<Name, Api>>
  /** The tables of all features. */
  readonly schemas: readonly FeatureSchema[]
  /** How features with files of their own encrypt them again. */
  readonly reencryptFiles: readonly ReencryptFiles[]
  /** Starts the features in order. */
  start(context: CoreContext, given: Given): Features<Apis>
}

/** Features that were started. */
export interface Features<Apis> {
  readonly apis: Apis
  /** All facts of an account for the status bar. */
  facts(account: Account): ConnectionFacts[]
  /** The most urgent duty of an account. */
  duty(account: Account): Duty
  /** The unfinished work of an account. */
  unfinished(account: Account): Unfinished
  /** Ends all features, dependents before the features they need. */
  end(): Promise<void>
}

/** A list with no feature. */
export const listFeatures = <Given = unknown>(): FeatureList<Given, Given> => listed([])

type AnyFeature = Feature<string, CoreContext, never, never>

const listed = <Given, Apis>(features: readonly AnyFeature[]): FeatureList<Given, Apis> => ({
  add: (feature) => listed([...features, feature as unknown as AnyFeature]),
  schemas: features.flatMap(({ schemas }) => schemas),
  reencryptFiles: features.flatMap(({ reencryptFiles }) => reencryptFiles ?? []),
  start: (context, given) => startFeatures<Apis>(features, context, given),
})

function startFeatures<Apis>(
  features: readonly AnyFeature[],
  context: CoreContext,
  given: unknown,
): Features<Apis> {
  const scopes: Scope[] = []
  const apis: Record<string, unknown> = { ...(given as object) }
  for (const feature of features) {
    const scope = featureScope(context, feature.name)
    scopes.unshift(scope)
    apis[feature.name] = feature.start(context, apis as never, scope)
  }
  return {
    apis: apis as Apis,
    facts: (account) =>
      features.flatMap(({ name, facts }) => facts?.(apis[name] as never, account) ?? []),
    duty(account) {
      const duties = features.map(({ name, duty }) => duty?.(apis[name] as never, account))
      return (
        duties.find((duty) => duty === 'stay') ?? duties.find((duty) => duty === 'soon') ?? null
      )
    },
    unfinished: (account) =>
      Object.assign(
        { unsentClaims: 0, ordersInProgress: 0, queuedChanges: 0 },
        ...features.map(({ name, unfinished }) => unfinished?.(apis[name] as never, account)),
      ) as Unfinished,
    async end() {
      // Every signal aborts before the first wait, so that nothing new starts.
      for (const scope of scopes) void scope.end()
      for (const scope of scopes) await scope.end()
    },
  }
}

/** A feature's lifetime. Errors that no caller handles are reported under the feature's name. */
export const featureScope = (
  { clock, report }: Pick<CoreContext, 'clock' | 'report'>,
  name: string,
): Scope => createScope({ clock, report: (error) => void report(name, error) })
