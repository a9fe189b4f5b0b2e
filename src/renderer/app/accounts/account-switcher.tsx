import { Popover } from '@mantine/core'
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react'
import { type KeyboardEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import { Avatar } from '../../ui/data-display/identity/avatar.tsx'
import { KeyCaps } from '../../ui/controls/buttons/key-cap.tsx'
import { ModeBadge } from '../../ui/data-display/identity/mode-badge.tsx'
import styles from './account-switcher.module.css'
import { roleLabelOf } from './role-labels.ts'
import { setScreen, useScreen } from '../shell/screen-store.ts'
import shell from '../shell/shell.module.css'
import { useSwitchAccount } from './use-switch-account.ts'

/**
 * Shows the current account and opens a list of all accounts with badge, role and shortcut. The
 * avatar is neutral because color is reserved for the mode.
 */
export function AccountSwitcher({
  accounts,
  account,
  folded,
}: {
  accounts: readonly Account[]
  account: Account
  folded: boolean
}) {
  const opened = useScreen((screen) => screen.switcher)
  return (
    <Popover
      opened={opened}
      onChange={(open) => setScreen({ switcher: open })}
      position="bottom-start"
      offset={0}
      trapFocus
      returnFocus
      width={300}
    >
      <Popover.Target>
        <button
          type="button"
          className={shell.account}
          onClick={() => setScreen({ switcher: !opened })}
        >
          <Avatar name={account.name} />
          {folded ? (
            <>
              <span className="kd-hidden">{account.name}</span>
              <ModeBadge mode={account.mode} small />
            </>
          ) : (
            <>
              <span className={shell.who}>
                <b>{account.name}</b>
                <span>
                  <ModeBadge mode={account.mode} small />
                  {roleLabelOf(account)}
                </span>
              </span>
              <IconSelector size={16} stroke={1.6} aria-hidden />
            </>
          )}
          <span className="kd-hidden">Switch account</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Accounts">
        <AccountList accounts={accounts} account={account} />
      </Popover.Dropdown>
    </Popover>
  )
}

function AccountList({ accounts, account }: { accounts: readonly Account[]; account: Account }) {
  const list = useRef<HTMLDivElement>(null)
  const [, go] = useLocation()
  const switchTo = useSwitchAccount()
  const close = (): void => setScreen({ switcher: false })
  const step = (by: number): void => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons[(at + by + buttons.length) % buttons.length]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by =
      event.key === 'ArrowDown' || event.key === 'j'
        ? 1
        : event.key === 'ArrowUp' || event.key === 'k'
          ? -1
          : 0
    if (by === 0) return
    event.preventDefault()
    step(by)
  }
  return (
    <div ref={list} className={styles.list}>
      {accounts.map((each, index) => (
        <button
          key={each.id}
          type="button"
          className={styles.row}
          onKeyDown={onKeyDown}
          aria-current={each.id === account.id}
          data-autofocus={each.id === account.id || undefined}
          onClick={() => {
            close()
            switchTo(each)
          }}
        >
          <Avatar name={each.name} />
          <span className={styles.who}>
            <b>{each.name}</b>
            <span>
              <ModeBadge mode={each.mode} />
              {roleLabelOf(each)}
              {each.state === 'ready' ? null : <em>needs a key</em>}
            </span>
          </span>
          {each.id === account.id ? (
            <IconCheck size={16} stroke={1.8} className={styles.check} aria-hidden />
          ) : null}
          {index < 9 ? <KeyCaps keys={['Ctrl', String(index + 1)]} tight /> : null}
        </button>
      ))}
      <button
        type="button"
        className={styles.connect}
        onKeyDown={onKeyDown}
        onClick={() => {
          close()
          go('/connect')
        }}
      >
        <IconPlus size={16} stroke={1.6} aria-hidden />
        <span>Connect an account</span>
      </button>
    </div>
  )
}
