import type { Account } from '../../../contract/app/accounts.ts'
import { Dialog } from '../../ui/layout/dialog.tsx'
import { KeyCap } from '../../ui/controls/buttons/key-cap.tsx'
import { pagesOf, settingsPage } from '../pages/pages.ts'
import { setScreen, useScreen } from '../shell/screen-store.ts'
import {
  dialogs,
  everywhere,
  pageShortcuts,
  palette,
  type Shortcut,
  table,
} from './shortcut-list.ts'
import styles from './shortcut-sheet.module.css'

/** All shortcuts of the account's role. */
export function ShortcutSheet({ account }: { account: Account }) {
  const opened = useScreen((screen) => screen.shortcuts)
  const pages = [...pagesOf(account.role), settingsPage].map((page) => ({
    keys: ['G', page.letter],
    what: page.name,
    inTurn: true,
  }))
  return (
    <Dialog
      opened={opened}
      onClose={() => setScreen({ shortcuts: false })}
      title="Shortcuts"
      width={1040}
      closable
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by
          keyboard */}
      <div className={styles.sheet} tabIndex={0} role="region" aria-label="All shortcuts">
        <div className={styles.columns}>
          <Group name="Everywhere" shortcuts={everywhere} />
          <Group name="Pages" shortcuts={pages} />
          <Group name="In tables" shortcuts={table} />
          <Group name="In dialogs" shortcuts={dialogs} />
          <Group name="While searching" shortcuts={palette} />
          {pageShortcuts
            .filter(({ roles }) => roles.includes(account.role))
            .map((group) => (
              <Group key={group.name} name={group.name} shortcuts={group.shortcuts} />
            ))}
        </div>
      </div>
      <p className={styles.note}>
        Single-letter shortcuts work outside text fields. You can turn them off in Settings.
      </p>
    </Dialog>
  )
}

function Group({ name, shortcuts }: { name: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section className={styles.group}>
      <h3>{name}</h3>
      <dl>
        {shortcuts.map((shortcut) => (
          <div key={shortcut.what}>
            <dt>{shortcut.what}</dt>
            <dd>
              {shortcut.keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && shortcut.inTurn === true ? <em>then</em> : null}
                  <KeyCap name={key} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
