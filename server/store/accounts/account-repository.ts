import type { Database } from 'better-sqlite3'
import type { AccountRepository, PartnerRecord, SellerRecord } from '../../domain/ports/accounts.ts'
import { cachedRow, type RowCache } from '../row-cache.ts'
import { createApiKeyRepository } from './api-key-repository.ts'
import { createTopUpRepository } from './top-up-repository.ts'

type PartnerRow = Omit<PartnerRecord, 'ipAllowlist'> & { ipAllowlist: string }
type SellerRow = Omit<SellerRecord, 'commission'> & { commission: string }

const partnerColumns = `id, name, email, status, per_order_limit AS perOrderLimit, daily_limit AS dailyLimit,
  ip_allowlist AS ipAllowlist, price_factor AS priceFactor, created_at AS createdAt`
const sellerColumns = 'id, name, status, commission, created_at AS createdAt'

export function createAccountRepository(database: Database, cache: RowCache): AccountRepository {
  const insertPartner = database.prepare<PartnerRow>(`
    INSERT INTO partners (id, name, email, status, per_order_limit, daily_limit, ip_allowlist, price_factor, created_at)
    VALUES (@id, @name, @email, @status, @perOrderLimit, @dailyLimit, @ipAllowlist, @priceFactor, @createdAt)`)
  const updatePartner = database.prepare<PartnerRow>(`
    UPDATE partners SET name = @name, email = @email, status = @status, per_order_limit = @perOrderLimit,
      daily_limit = @dailyLimit, ip_allowlist = @ipAllowlist WHERE id = @id`)
  const partner = database.prepare<{ id: string }, PartnerRow>(
    `SELECT ${partnerColumns} FROM partners WHERE id = @id`,
  )
  const partners = database.prepare<{ offset: number; limit: number }, PartnerRow>(
    `SELECT ${partnerColumns} FROM partners ORDER BY created_at DESC, id LIMIT @limit OFFSET @offset`,
  )
  const countPartners = database.prepare<[], number>('SELECT count(*) FROM partners').pluck()
  const insertSeller = database.prepare<SellerRow>(`
    INSERT INTO sellers (id, name, status, commission, created_at)
      VALUES (@id, @name, @status, @commission, @createdAt)`)
  const updateSeller = database.prepare<SellerRow>(
    'UPDATE sellers SET name = @name, status = @status, commission = @commission WHERE id = @id',
  )
  const seller = database.prepare<{ id: string }, SellerRow>(
    `SELECT ${sellerColumns} FROM sellers WHERE id = @id`,
  )
  const sellers = database.prepare<{ offset: number; limit: number }, SellerRow>(
    `SELECT ${sellerColumns} FROM sellers ORDER BY created_at DESC, id LIMIT @limit OFFSET @offset`,
  )
  const countSellers = database.prepare<[], number>('SELECT count(*) FROM sellers').pluck()

  return {
    ...createApiKeyRepository(database),
    ...createTopUpRepository(database),
    insertPartner: (record) => void insertPartner.run(partnerRow(record)),
    updatePartner: (record) => void updatePartner.run(partnerRow(record)),
    partner: (id) => optional(partner.get({ id }), partnerRecord),
    partners: (offset, limit) => partners.all({ offset, limit }).map(partnerRecord),
    countPartners: () => countPartners.get() ?? 0,
    insertSeller: (record) => void insertSeller.run(sellerRow(record)),
    updateSeller(record) {
      updateSeller.run(sellerRow(record))
      cache.sellers.delete(record.id)
    },
    seller: (id) => cachedRow(cache.sellers, id, () => optional(seller.get({ id }), sellerRecord)),
    sellers: (offset, limit) => sellers.all({ offset, limit }).map(sellerRecord),
    countSellers: () => countSellers.get() ?? 0,
  }
}

function optional<Row, Record>(
  row: Row | undefined,
  convert: (row: Row) => Record,
): Record | undefined {
  return row === undefined ? undefined : convert(row)
}

function partnerRow(record: PartnerRecord): PartnerRow {
  return { ...record, ipAllowlist: JSON.stringify(record.ipAllowlist) }
}

function partnerRecord(row: PartnerRow): PartnerRecord {
  return { ...row, ipAllowlist: JSON.parse(row.ipAllowlist) as string[] }
}

function sellerRow(record: SellerRecord): SellerRow {
  return { ...record, commission: JSON.stringify(record.commission) }
}

function sellerRecord(row: SellerRow): SellerRecord {
  return { ...row, commission: JSON.parse(row.commission) as SellerRecord['commission'] }
}
