/** Chapters of the document. */
import type { Endpoint } from '../../api/endpoints/endpoint.ts'
import type { PublicOperation } from './examples/example.ts'

/** Chapters in their order; renderers use the groups to structure the sidebar. */
const chapters = {
  'Partner: account': 'The account of the key, and its balance.',
  'Partner: catalogue': 'Products with your own prices, and syncing a copy of them.',
  'Partner: orders': 'Placing and tracking orders, and downloading delivered units.',
  'Partner: webhooks': 'Testing your webhook endpoint.',
  'Seller: shop': 'Your terms, and the products you can sell.',
  'Seller: offers and stock': 'Your offers, their prices and their units.',
  'Seller: sales and money': 'Your sales and earnings.',
  'Seller: disputes': 'Customer claims, and how to resolve them.',
} as const

type Chapter = keyof typeof chapters

const byPath: Readonly<Record<string, Chapter>> = {
  'partner ping': 'Partner: account',
  'partner balance': 'Partner: account',
  'partner products': 'Partner: catalogue',
  'partner meta': 'Partner: catalogue',
  'partner orders': 'Partner: orders',
  'partner webhooks': 'Partner: webhooks',
  'seller me': 'Seller: shop',
  'seller products': 'Seller: shop',
  'seller offers': 'Seller: offers and stock',
  'seller sales': 'Seller: sales and money',
  'seller balance': 'Seller: sales and money',
  'seller disputes': 'Seller: disputes',
}

/** The chapter of an operation, by the first segment of its path. Throws for a path without one. */
export function tagOf(operation: PublicOperation, { api, path }: Endpoint): Chapter {
  const chapter = byPath[`${api} ${path.split('/')[1]}`]
  if (chapter === undefined) throw new Error(`no chapter for ${operation} in the OpenAPI document`)
  return chapter
}

/** `Partner: account` is shown as `Account`, because its group already names the API. */
const shown = (name: string): string =>
  name.replace(/^\w+: (.)/, (_, first: string) => first.toUpperCase())

export const tags = Object.entries(chapters).map(([name, description]) => ({
  name,
  'x-displayName': shown(name),
  description,
}))

export const tagGroups = ['Partner', 'Seller'].map((name) => ({
  name: `${name} API`,
  tags: Object.keys(chapters).filter((chapter) => chapter.startsWith(`${name}:`)),
}))
