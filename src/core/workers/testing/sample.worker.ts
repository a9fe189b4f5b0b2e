import { serve } from '../serve.ts'

/** The requests of the worker that the tests start. */
export type SampleCalls = {
  request:
    | { do: 'double'; value: number }
    | { do: 'fail' | 'exit' | 'crash' | 'until-canceled' }
    | { do: 'count'; to: number; confirm: boolean }
  result: number | string
  progress: number
}

serve<SampleCalls>((request, { signal, progress, confirmed }) => {
  switch (request.do) {
    case 'double':
      return request.value * 2
    case 'fail':
      throw new RangeError('No such value.')
    case 'exit':
      return process.exit(3)
    case 'crash':
      setImmediate(() => {
        throw new Error('A defect.')
      })
      return new Promise(() => {})
    case 'until-canceled':
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('canceled'))
      })
    case 'count':
      return (async () => {
        for (let value = 1; value <= request.to; value += 1)
          if (request.confirm) await confirmed(value)
          else progress(value)
        return 'counted'
      })()
  }
})
