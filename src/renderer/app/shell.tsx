import { useMantineColorScheme } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { useLocation } from 'wouter'
import { CurrentAccount } from '../lib/current-account.ts'
import { HeaderNotice } from '../ui/page.tsx'
import { allowSingleLetters } from '../ui/shortcuts.ts'
import { useColumnStore } from '../ui/table/column-store.ts'
import { AccountNotice } from './account-notice.tsx'
import { schemeOf } from './color-scheme.ts'
import { FirstRun } from './first-run/first-run.tsx'
import { GlobalKeys } from './global-keys.tsx'
import { Navigation } from './navigation.tsx'
import { PageRoutes } from './page-routes.tsx'
import { Palette } from './palette/palette.tsx'
import { PassphraseDialog } from './passphrase-dialog.tsx'
import { RekeyDialog } from './rekey-dialog.tsx'
import styles from './shell.module.css'
import { ShortcutSheet } from './shortcut-sheet.tsx'
import { StatusBar } from './status-bar.tsx'
import { TitleBar } from './title-bar.tsx'
import { useDesk } from './use-desk.ts'

/** The window: frame, navigation, the page in its panel, status bar. Without any account it is the first run. */
export function Shell() {
  const { accounts, current, settings } = useDesk()
  const [path] = useLocation()
  const { setColorScheme } = useMantineColorScheme()
  const theme = settings?.theme
  const density = settings?.density
  const letters = settings?.singleLetterShortcuts
  useEffect(() => { if (theme !== undefined) setColorScheme(schemeOf(theme)) }, [theme, setColorScheme])
  useEffect(() => { if (density !== undefined) useColumnStore.getState().setDefaultHeight(density) }, [density])
  useEffect(() => { if (letters !== undefined) allowSingleLetters(letters) }, [letters])
  const notice = useMemo(() => (current === null ? null : <AccountNotice account={current} />), [current])
  if (accounts === undefined || settings === undefined) return null
  if (current === null) return <><FirstRun /><PassphraseDialog account={null} /></>
  return (
    <CurrentAccount value={current}>
      <HeaderNotice value={notice}>
        {current.mode === 'live' ? null : <div className={styles.strip} data-mode={current.mode} aria-hidden />}
        {path === '/connect' ? <FirstRun another /> : (
          <div className={styles.window}>
            <TitleBar account={current} />
            <Navigation accounts={accounts} account={current} />
            <main className={styles.panel} id="page"><PageRoutes key={current.id} account={current} /></main>
            <StatusBar account={current} />
          </div>
        )}
        <GlobalKeys accounts={accounts} account={current} />
        <Palette account={current} accounts={accounts} />
        <ShortcutSheet account={current} />
        <PassphraseDialog account={current} />
        <RekeyDialog accounts={accounts} />
      </HeaderNotice>
    </CurrentAccount>
  )
}
