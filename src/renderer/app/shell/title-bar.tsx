import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconArrowRight, IconLayoutSidebar, IconSearch } from '@tabler/icons-react'
import type { Account } from '../../../contract/app/accounts.ts'
import { goBack, goForward } from '../../lib/page-history.ts'
import { api } from '../../lib/core/rpc.ts'
import { IconButton } from '../../ui/controls/buttons/button.tsx'
import { KeyCaps } from '../../ui/controls/buttons/key-cap.tsx'
import { Brand } from './brand.tsx'
import { useIsCollapsed } from './navigation.tsx'
import { NoticeBell } from '../../features/notices/notice-bell.tsx'
import { placeholderOf } from '../palette/palette.tsx'
import { setScreen } from './screen-store.ts'
import styles from './shell.module.css'

/** The 40 px title bar: logo, button to fold the navigation, back, forward and the palette. */
export function TitleBar({ account }: { account: Account }) {
  const folded = useIsCollapsed()
  const info = useQuery(api.app.info.queryOptions()).data
  return (
    <header
      className={styles.title}
      data-mac={info?.host === 'electron' && info.platform === 'darwin' ? true : undefined}
    >
      <Brand small={folded} />
      <div className={styles.titleTools}>
        <IconButton
          label={folded ? 'Expand the navigation' : 'Collapse the navigation'}
          onClick={() => setScreen({ folded: !folded })}
        >
          <IconLayoutSidebar size={16} stroke={1.6} />
        </IconButton>
        <IconButton label="Back" onClick={() => goBack()}>
          <IconArrowLeft size={16} stroke={1.6} />
        </IconButton>
        <IconButton label="Forward" onClick={goForward}>
          <IconArrowRight size={16} stroke={1.6} />
        </IconButton>
      </div>
      <button type="button" className={styles.search} onClick={() => setScreen({ palette: true })}>
        <IconSearch size={14} stroke={1.8} aria-hidden />
        <span>{placeholderOf(account)}</span>
        <KeyCaps keys={['Ctrl', 'K']} />
      </button>
      <div className={styles.titleEnd}>
        <NoticeBell />
      </div>
    </header>
  )
}
