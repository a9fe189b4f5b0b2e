import type { AnyContractRouter, ContractProcedure } from '@orpc/contract'
import type { Procedure } from '@orpc/server'

type Nothing = Record<never, never>

/**
 * The router that serves a contract, with each procedure in its place. Written out because the
 * inferred type is too long for a declaration file.
 */
export type ServedRouter<Router extends AnyContractRouter> =
  Router extends ContractProcedure<infer Input, infer Output, infer Errors, infer Meta>
    ? Procedure<Nothing, Nothing, Input, Output, Errors, Meta>
    : {
        [Name in keyof Router]: Router[Name] extends AnyContractRouter
          ? ServedRouter<Router[Name]>
          : never
      }
