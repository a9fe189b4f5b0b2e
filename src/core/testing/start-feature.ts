import type { CoreContext } from '../context.ts'
import { featureScope } from '../lifecycle/lifecycle.ts'
import type { Feature } from '../lifecycle/lifecycle.ts'

/** A feature that a test started. `close` ends its scope. */
export type Started<Api> = Api & { close(): Promise<void> }

/** Starts one feature with what it needs. */
export function startFeature<Context, Needs, Api extends object>(
  feature: Feature<string, Context, Needs, Api>,
  context: NoInfer<Context> & Pick<CoreContext, 'clock' | 'report'>,
  needs: NoInfer<Needs>,
): Started<Api> {
  const scope = featureScope(context, feature.name)
  return Object.assign(feature.start(context, needs, scope), { close: () => scope.end() })
}
