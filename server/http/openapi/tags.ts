/** Chapters of the document. */
import type { Endpoint } from '../../api/endpoint.ts'
import type { PublicOperation } from './example.ts'

/** Chapters in their order; the groups are how renderers lay out the page's side. */
const chapters = {
  'Partner: account': 'Whose key this is, and what it may spend.',
  'Partner: catalogue': 'Products with your own prices, and how to keep a copy of them.',
  'Partner: orders': 'Ordering, following an order, and fetching what was delivered.',
  'Partner: webhooks': 'Trying out your receiver of events.',
  'Seller: shop': 'Your terms, and the catalogue you can sell in.',
  'Seller: offers and stock': 'What you sell, at which price, and the units you have of it.',
  'Seller: sales and money': 'What was sold, and what you get for it.',
  'Seller: disputes': 'Claims of customers, and how you settle them.',
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

/** The chapter of an operation, by the first word of its path. Throws for a path without one. */
export function tagOf(operation: PublicOperation, { api, path }: Endpoint): Chapter {
  const chapter = byPath[`${api} ${path.split('/')[1]}`]
  if (chapter === undefined) throw new Error(`no chapter for ${operation} in the OpenAPI document`)
  return chapter
}

/** `Partner: account` is shown as `Account`: its group says the rest. */
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
