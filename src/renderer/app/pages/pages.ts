import {
  IconActivity,
  IconBooks,
  IconChartLine,
  type Icon,
  IconFileImport,
  IconFlag,
  IconFlask,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMessageReport,
  IconReceipt,
  IconSend,
  IconSettings,
  IconShoppingBag,
  IconTag,
  IconTimeline,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react'
import type { Connection, Role, SyncedList } from '../../../contract/app/accounts.ts'

/** A page in the navigation: its address, its shortcut and its count. */
export interface AppPage {
  id: string
  name: string
  path: string
  icon: Icon
  /** The heading of its group; null: the first group. */
  group: string | null
  /** The letter to press after G. */
  letter: string
  count?: keyof Connection['counts']
  /** The list that its figures come from. */
  list?: SyncedList
}

const today: AppPage = {
  id: 'today',
  name: 'Today',
  path: '/today',
  icon: IconLayoutDashboard,
  group: null,
  letter: 'T',
}
const offers: AppPage = {
  id: 'offers',
  name: 'Offers',
  path: '/offers',
  icon: IconTag,
  group: null,
  letter: 'O',
  list: 'offers',
  count: 'offers',
}
const imports: AppPage = {
  id: 'import',
  name: 'Import keys',
  path: '/import',
  icon: IconFileImport,
  group: null,
  letter: 'I',
  list: 'offers',
}
const batches: AppPage = {
  id: 'batches',
  name: 'Import history',
  path: '/batches',
  icon: IconHistory,
  group: null,
  letter: 'H',
  list: 'offers',
}
const keyHistory: AppPage = {
  id: 'key-history',
  name: 'Key history',
  path: '/key-history',
  icon: IconTimeline,
  group: 'Reference',
  letter: 'K',
}
const catalogue: AppPage = {
  id: 'catalogue',
  name: 'Catalogue',
  path: '/catalogue',
  icon: IconBooks,
  group: null,
  letter: 'C',
  list: 'products',
}
const watch: AppPage = {
  id: 'watch',
  name: 'Price watch',
  path: '/watch',
  icon: IconChartLine,
  group: null,
  letter: 'P',
  list: 'offers',
}
const disputes: AppPage = {
  id: 'disputes',
  name: 'Disputes',
  path: '/disputes',
  icon: IconMessageReport,
  group: null,
  letter: 'D',
  list: 'disputes',
  count: 'disputes',
}
const sales: AppPage = {
  id: 'sales',
  name: 'Sales',
  path: '/sales',
  icon: IconReceipt,
  group: null,
  letter: 'E',
  list: 'sales',
}
const orders: AppPage = {
  id: 'orders',
  name: 'Orders',
  path: '/orders',
  icon: IconShoppingBag,
  group: null,
  letter: 'O',
  list: 'orders',
  count: 'orders',
}
const keys: AppPage = {
  id: 'keys',
  name: 'Keys',
  path: '/keys',
  icon: IconKey,
  group: null,
  letter: 'K',
  list: 'orders',
}
const claims: AppPage = {
  id: 'claims',
  name: 'Claims',
  path: '/claims',
  icon: IconFlag,
  group: null,
  letter: 'L',
  list: 'orders',
}
const balance: AppPage = {
  id: 'balance',
  name: 'Balance',
  path: '/balance',
  icon: IconWallet,
  group: null,
  letter: 'B',
  list: 'orders',
}
const webhooks: AppPage = {
  id: 'webhooks',
  name: 'Webhook inspector',
  path: '/webhooks',
  icon: IconWebhook,
  group: 'Console',
  letter: 'W',
}
const outbox: AppPage = {
  id: 'outbox',
  name: 'Queued changes',
  path: '/outbox',
  icon: IconSend,
  group: 'Console',
  letter: 'X',
}
const activity: AppPage = {
  id: 'activity',
  name: 'Activity',
  path: '/activity',
  icon: IconActivity,
  group: 'Console',
  letter: 'A',
}
const sandbox: AppPage = {
  id: 'sandbox',
  name: 'Sandbox',
  path: '/sandbox',
  icon: IconFlask,
  group: 'Console',
  letter: 'N',
}

export const settingsPage: AppPage = {
  id: 'settings',
  name: 'Settings',
  path: '/settings',
  icon: IconSettings,
  group: null,
  letter: 'S',
}

const pages: Record<Role, readonly AppPage[]> = {
  seller: [
    today,
    offers,
    imports,
    batches,
    watch,
    disputes,
    sales,
    { ...catalogue, group: 'Reference' },
    keyHistory,
    activity,
    outbox,
    sandbox,
  ],
  partner: [today, catalogue, orders, keys, claims, balance, webhooks, activity, sandbox],
}

/** The pages of a role, in the order of the navigation. */
export const pagesOf = (role: Role): readonly AppPage[] => pages[role]

/** The home page of every role. */
export const homePath = today.path
