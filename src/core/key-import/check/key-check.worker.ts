import { prepareFiles } from '../parse/prepare-files.ts'
import { serve } from '../../workers/workers.ts'
import { runKeyCheck } from './key-check-task.ts'
import type { KeyCheckCalls } from './worker-runner.ts'

serve<KeyCheckCalls>(async (task, { progress }) =>
  runKeyCheck(task, progress, await prepareFiles(task, () => performance.now())),
)
