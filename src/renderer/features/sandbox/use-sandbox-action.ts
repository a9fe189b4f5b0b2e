import { useMutation } from '@tanstack/react-query'
import { problemOf } from '../../lib/core/problem.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'

/** The dialogs of these pages change the sandbox itself, not an account of Keydesk. */
export const sandboxAccount = { name: 'Sandbox', mode: 'sandbox' } as const

/**
 * A mutation in the sandbox that shows its success or failure in a toast. Affected queries refetch
 * automatically.
 */
export function useSandboxAction<Input, Result>(
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
      toastProblem(problemOf(error), null)
    },
  })
}
