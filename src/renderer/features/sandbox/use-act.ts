import { useMutation } from '@tanstack/react-query'
import { problemOf } from '../../lib/problem.ts'
import { toast, toastProblem } from '../../ui/toasts.tsx'

/** The dialogs of these pages write to no account of the desk but to the sandbox itself. */
export const sandboxItself = { name: 'Sandbox', mode: 'sandbox' } as const

/**
 * Something done in the sandbox: what went well is said, a failure too; what changed is read again
 * by itself.
 */
export function useAct<Input, Result>(
  work: (input: Input) => Promise<Result>,
  told: (result: Result, input: Input) => { title: string; text?: string } | null,
  onDone?: (result: Result, input: Input) => void,
) {
  return useMutation({
    mutationFn: work,
    onSuccess: (result: Result, input: Input) => {
      const words = told(result, input)
      if (words !== null) toast(words)
      onDone?.(result, input)
    },
    onError: (error) => {
      toastProblem(problemOf(error))
    },
  })
}
