/** Partners, sellers and their keys on the dashboard interface. */
import { z } from 'zod'
import { euroAmountBetween, MAX_CENTS, percentUpTo } from '../money.ts'
import {
  amount,
  listOf,
  dateTime,
  namedEnvelope,
  orNull,
  resource,
  closedList,
} from '../schemas/resource.ts'
import { instantInput, oneOf } from '../schemas/values.ts'
import { accountStatuses, commissionClasses, modes, scopes } from '../schemas/enums.ts'

const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
const limitAmount = euroAmountBetween(0, MAX_CENTS).nullable()

const partnerFields = {
  name,
  email: z.email('must be an e-mail address').nullable().optional(),
  status: oneOf(accountStatuses).optional(),
  /** If omitted: the default of Decision 18; null: no limit. */
  perOrderLimit: limitAmount.optional(),
  dailyLimit: limitAmount.optional(),
  /** Addresses or CIDR blocks, IPv4 or IPv6; empty: any address. */
  ipAllowlist: z
    .array(
      z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be an address or a CIDR block'),
    )
    .optional(),
}

export const partnerRequest = z.object({
  ...partnerFields,
  priceFactor: z.number().positive('must be above 0').max(1000, 'must be at most 1000').optional(),
})
/** Any of a partner's fields except `priceFactor`, which never changes. */
export const partnerChange = z.object({
  ...partnerFields,
  name: name.optional(),
  priceFactor: z.never('never changes after creation').optional(),
})

const partnerNamed = {
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  status: closedList(accountStatuses),
  perOrderLimit: orNull(amount),
  dailyLimit: orNull(amount),
  ipAllowlist: z.array(z.string()),
  priceFactor: z.number(),
}
export const partner = resource(partnerNamed, { createdAt: dateTime })
export const partnerPage = namedEnvelope(partner)
export const partnerWithBalances = resource(
  { ...partnerNamed, balances: resource({ live: amount, test: amount }) },
  { createdAt: dateTime },
)

export const partnerKeyRequest = z.object({
  mode: oneOf(modes),
  scopes: z.array(oneOf(scopes)).min(1, 'must have at least one scope').optional(),
  expiresAt: instantInput.nullable().optional(),
})
export const newPartnerKey = resource(
  { id: z.string(), key: z.string(), mode: closedList(modes), scopes: listOf(closedList(scopes)) },
  { expiresAt: orNull(dateTime), createdAt: dateTime },
)

const keyFacts = {
  id: z.string(),
  /** `svc_test_`, `svc_live_` or `svcs_`. */
  prefix: z.string(),
  lastFour: z.string(),
  createdAt: dateTime,
  lastUsedAt: orNull(dateTime),
  expiresAt: orNull(dateTime),
  revokedAt: orNull(dateTime),
}
export const partnerKeys = resource({
  results: listOf(
    resource({ ...keyFacts, mode: closedList(modes), scopes: listOf(closedList(scopes)) }),
  ),
})

/**
 * Percent by commission class, at most two decimals; an omitted class has its default (Decision 3).
 */
const commission = z.partialRecord(z.enum(commissionClasses), percentUpTo(100))
const sellerFields = {
  name,
  status: oneOf(accountStatuses).optional(),
  commission: commission.optional(),
}
export const sellerRequest = z.object(sellerFields)
export const sellerChange = z.object({ ...sellerFields, name: name.optional() })

export const sellerAccount = resource(
  {
    id: z.string(),
    name: z.string(),
    status: closedList(accountStatuses),
    commission: z.record(z.enum(commissionClasses), z.number()),
  },
  { createdAt: dateTime },
)
export const sellerAccountPage = namedEnvelope(sellerAccount)

export const sellerKeyRequest = z.object({ expiresAt: instantInput.nullable().optional() })
export const newSellerKey = resource(
  { id: z.string(), key: z.string() },
  { expiresAt: orNull(dateTime), createdAt: dateTime },
)
export const sellerKeys = resource({ results: listOf(resource(keyFacts)) })
