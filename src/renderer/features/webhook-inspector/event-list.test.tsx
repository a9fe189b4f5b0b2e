import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EventList } from './event-list.tsx'

const listOf = (query: Pick<Parameters<typeof EventList>[0]['query'], 'data' | 'isError'>) =>
  renderToStaticMarkup(
    <MantineProvider>
      <EventList
        query={{ ...query, error: null, refetch: () => Promise.reject(new Error('unused')) }}
        chosen={null}
        onChoose={() => {}}
        receiver={undefined}
      />
    </MantineProvider>,
  )

test('says that nothing was received only if the events were read', () => {
  const none = 'Nothing received yet.'
  expect(listOf({ data: [], isError: false })).toContain(none)
  expect(listOf({ data: undefined, isError: false })).not.toContain(none)
  const failed = listOf({ data: undefined, isError: true })
  expect(failed).not.toContain(none)
  expect(failed).toContain('Retry now')
})
