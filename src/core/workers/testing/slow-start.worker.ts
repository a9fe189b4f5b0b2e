import { writeFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { serve } from '../serve.ts'

// Loads for a while.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
writeFileSync(workerData as string, 'loaded')
serve(() => null)
