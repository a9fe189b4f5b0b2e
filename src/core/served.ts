import type { AnyContractRouter, ContractProcedure } from '@orpc/contract'
import { lazy } from '@orpc/server'
import type { AnyRouter, Lazy, Lazyable, Procedure } from '@orpc/server'

type Nothing = Record<never, never>

/**
 * The router that serves a contract, with each procedure in its place. Written out because the
 * inferred type is too long for a declaration file.
 */
export type ServedRouter<Router extends AnyContractRouter> =
  Router extends ContractProcedure<infer Input, infer Output, infer Errors, infer Meta>
    ? Lazyable<Procedure<Nothing, Nothing, Input, Output, Errors, Meta>>
    : {
        [Name in keyof Router]: Router[Name] extends AnyContractRouter
          ? ServedRouter<Router[Name]>
          : never
      }

/**
 * Routers that are created at the first call of one of their procedures, so that the start doesn't
 * wait for them.
 */
export const onFirstCall = <Routers extends Record<string, () => AnyRouter>>(
  routers: Routers,
): { [Name in keyof Routers]: Lazy<ReturnType<Routers[Name]>> } =>
  Object.fromEntries(
    Object.entries(routers).map(([name, create]) => [name, createdOnce(create)]),
  ) as { [Name in keyof Routers]: Lazy<ReturnType<Routers[Name]>> }

function createdOnce(create: () => AnyRouter): Lazy<AnyRouter> {
  let created: AnyRouter | undefined
  return lazy(async () => ({ default: (created ??= create()) }))
}
