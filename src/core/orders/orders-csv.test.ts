import { expect, test } from 'vitest'
import { keysToCsv } from './orders-csv.ts'
import { ordersSchemas } from './schema.ts'

const key = {
  orderId: 'o1',
  externalId: '=R1',
  line: 2,
  productId: 'p1',
  name: 'Ironwharf 3',
  platform: 'Steam',
  region: 'Europe',
  deliveryType: 'key',
  contentType: 'text/plain',
  keyId: 'k1',
  value: '=AAAAA-BBBBB',
  handedAt: Date.UTC(2026, 0, 5, 9),
  handedNote: 'shop order 17',
}

test('writes keys with order, product and mark, and their values exactly as delivered', () => {
  expect(keysToCsv([key, { ...key, keyId: 'k2', handedAt: null, handedNote: '' }])).toBe(
    [
      'order id,reference,line,product id,product,platform,region,delivery,content type,key id,' +
        'value,handed over (UTC),note',
      `o1,"'=R1",2,p1,Ironwharf 3,Steam,Europe,key,text/plain,k1,=AAAAA-BBBBB,` +
        '2026-01-05T09:00:00.000Z,shop order 17',
      `o1,"'=R1",2,p1,Ironwharf 3,Steam,Europe,key,text/plain,k2,=AAAAA-BBBBB,,`,
      '',
    ].join('\r\n'),
  )
})

test('names its tables in the mirror and in the journal', () => {
  expect(ordersSchemas.map(({ feature, place }) => [feature, place])).toEqual([
    ['orders', undefined],
    ['orders', 'journal'],
  ])
})
