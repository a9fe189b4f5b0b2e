import type { ReactNode } from 'react'
import type { Problem } from '../../../contract/base.ts'
import { ProblemCodes } from './error-state.tsx'
import { Notice } from './notice.tsx'

/** The problem of an action's last attempt, for a dialog that stays open. */
export function ProblemNotice({ problem, action }: { problem: Problem; action?: ReactNode }) {
  return (
    <Notice tone="bad" title={problem.what} action={action}>
      {problem.effect} {problem.next}
      <ProblemCodes problem={problem} />
    </Notice>
  )
}
