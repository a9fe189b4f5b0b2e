import '../../app/theme/styles.ts'
import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { cssVariablesResolver, theme } from '../../app/theme/theme.ts'
import { Controls } from './gallery-controls.tsx'
import { FrozenDialog } from './gallery-frozen.tsx'
import { Growing, Long, Resorted } from './gallery-long.tsx'
import { Messages } from './gallery-messages.tsx'

const root = document.getElementById('root')
const asked = new URLSearchParams(location.search)
if (root !== null) {
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      forceColorScheme={asked.get('scheme') === 'dark' ? 'dark' : 'light'}
    >
      {asked.get('board') === 'messages' ? (
        <Messages />
      ) : asked.get('board') === 'long' ? (
        <Long />
      ) : asked.get('board') === 'growing' ? (
        <Growing />
      ) : asked.get('board') === 'resorted' ? (
        <Resorted />
      ) : asked.get('board') === 'frozen' ? (
        <FrozenDialog />
      ) : (
        <Controls />
      )}
    </MantineProvider>,
  )
}
