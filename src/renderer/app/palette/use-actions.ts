import { useMutation, useQuery } from '@tanstack/react-query'
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconArrowRight,
  IconFlask,
  IconKeyboard,
  IconLoader,
  IconLock,
  IconMoon,
  IconPlayerStop,
  IconPlus,
  IconRefresh,
  IconShieldCheck,
  IconShieldLock,
  IconSun,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react'
import { useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import type { Settings } from '../../../contract/app/app.ts'
import { goBack, goForward } from '../../lib/page-history.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { useStopSwitch } from '../../features/price-watch/status/stop-all.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { isShownInBar } from '../accounts/account-problem.ts'
import { pagesOf, settingsPage } from '../pages/pages.ts'
import { setScreen } from '../shell/screen-store.ts'
import { roleLabelOf } from '../accounts/role-labels.ts'
import { useSwitchAccount } from '../accounts/use-switch-account.ts'
import { useChangeSettings } from '../use-app-state.ts'
import { lockVault } from '../vault/vault-watch.tsx'
import type { PaletteItem } from './items.ts'

/** The tabs of the sandbox page, named by their tasks. */
const sandboxParts = [
  { path: 'control', name: 'Sandbox: change the clock, market and faults' },
  { path: 'requests', name: 'Sandbox: request log' },
  { path: 'requests/latest', name: 'Why the latest sandbox request was rejected' },
  { path: 'certificate', name: 'Sandbox: certify a webhook handler' },
  { path: 'worlds', name: 'Sandbox: branches, snapshots and reset' },
  { path: 'accounts', name: 'Sandbox: accounts, keys and top-ups' },
  { path: 'products', name: 'Sandbox: products' },
  { path: 'claims', name: 'Sandbox: claims' },
  { path: 'ledger', name: 'Sandbox: ledger' },
] as const

/** Actions that don't depend on the account. */
const generalActions = (go: (path: string) => void, change: (part: Partial<Settings>) => void) => [
  {
    id: 'lock',
    name: 'Lock the vault',
    icon: IconLock,
    keys: ['Ctrl', 'Shift', 'L'],
    run: () => void lockVault(),
  },
  {
    id: 'secrets',
    name: 'Where your secrets are',
    icon: IconShieldLock,
    run: () => go('/settings/secrets'),
  },
  {
    id: 'security',
    name: 'Security settings',
    icon: IconShieldCheck,
    run: () => go('/settings/security'),
  },
  ...sandboxParts.map(({ path, name }) => ({
    id: `sandbox-${path}`,
    name,
    icon: IconFlask,
    run: () => go(`/sandbox/${path}`),
  })),
  {
    id: 'light',
    name: 'Use the light theme',
    icon: IconSun,
    run: () => change({ theme: 'light' }),
  },
  {
    id: 'dark',
    name: 'Use the dark theme',
    icon: IconMoon,
    run: () => change({ theme: 'dark' }),
  },
  {
    id: 'shortcuts',
    name: 'Show all shortcuts',
    icon: IconKeyboard,
    keys: ['?'],
    run: () => setScreen({ shortcuts: true }),
  },
  {
    id: 'undo-history',
    name: 'Undo history',
    icon: IconArrowBackUp,
    keys: ['Ctrl', 'Alt', 'Z'],
    run: () => setScreen({ undoHistory: true }),
  },
]

const switchAction = (each: Account, index: number, switchTo: (account: Account) => void) => ({
  id: `account-${each.id}`,
  name: `Switch to ${each.name}`,
  detail: `${each.mode.toUpperCase()} ${roleLabelOf(each).toLowerCase()}`,
  icon: IconUsers,
  ...(index < 9 ? { keys: ['Ctrl', String(index + 1)] } : {}),
  run: () => switchTo(each),
})

/** Actions that work on every page, and the pages. */
export function useActions(account: Account, accounts: readonly Account[]): PaletteItem[] {
  const [, go] = useLocation()
  const change = useChangeSettings()
  const switchTo = useSwitchAccount()
  const prices = useStopSwitch()
  const working = (useQuery(api.app.jobs.queryOptions()).data ?? []).length > 0
  const onError = (error: unknown): void => {
    const problem = problemOf(error)
    if (!isShownInBar(problem)) toastProblem(problem, null)
  }
  const sync = useMutation({
    mutationFn: () => rpc.accounts.syncNow({ accountId: account.id }),
    onError,
    onSuccess: () => {
      toast({ title: 'Syncing', text: `Keydesk is fetching ${account.name} from the service.` })
    },
  })
  const pages: PaletteItem[] = [...pagesOf(account.role), settingsPage].map((page) => ({
    id: `page-${page.id}`,
    group: 'Pages',
    icon: page.icon,
    name: page.name,
    keys: ['G', page.letter],
    run: () => go(page.path),
  }))
  const actions: PaletteItem[] = [
    ...(account.role === 'partner'
      ? [{ id: 'new-order', name: 'New order', icon: IconPlus, run: () => go('/orders/new') }]
      : []),
    {
      id: 'back',
      name: 'Back',
      icon: IconArrowLeft,
      keys: ['Alt', '←'],
      run: () => goBack(),
    },
    {
      id: 'forward',
      name: 'Forward',
      icon: IconArrowRight,
      keys: ['Alt', '→'],
      run: goForward,
    },
    { id: 'sync', name: 'Sync now', icon: IconRefresh, run: () => sync.mutate() },
    ...accounts.flatMap((each, index) =>
      each.id === account.id ? [] : [switchAction(each, index, switchTo)],
    ),
    ...(account.role === 'seller' && prices.state !== undefined
      ? [
          prices.state.stoppedAt === null
            ? {
                id: 'stop-prices',
                name: 'Stop all price changes',
                icon: IconPlayerStop,
                keys: ['Ctrl', '.'],
                run: prices.stop,
              }
            : {
                id: 'resume-prices',
                name: 'Resume price changes',
                icon: IconPlayerStop,
                run: prices.resume,
              },
        ]
      : []),
    ...(working
      ? [
          {
            id: 'jobs',
            name: 'Show jobs',
            icon: IconLoader,
            run: () => setScreen({ jobs: true }),
          },
        ]
      : []),
    { id: 'connect', name: 'Connect an account', icon: IconUserPlus, run: () => go('/connect') },
    ...generalActions(go, change),
  ].map((action) => ({ ...action, group: 'Actions' }))
  return [...actions, ...pages]
}
