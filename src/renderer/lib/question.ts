import { create } from 'zustand'

/** A question on screen, and how to answer it. */
export interface Question<Subject> {
  subject: Subject
  /** Closes the question. */
  answer: (agreed: boolean) => void
}

/**
 * A question that any page can ask and one dialog of the window shows. Asking another one answers
 * the one on screen with no.
 */
export function createQuestion<Subject>() {
  const useAsked = create<{ question: Question<Subject> | null }>(() => ({ question: null }))
  return {
    /** Resolves to whether the person agreed. */
    ask: (subject: Subject): Promise<boolean> =>
      new Promise((resolve) => {
        useAsked.getState().question?.answer(false)
        const answer = (agreed: boolean): void => {
          useAsked.setState({ question: null })
          resolve(agreed)
        }
        useAsked.setState({ question: { subject, answer } })
      }),
    useQuestion: (): Question<Subject> | null => useAsked(({ question }) => question),
  }
}
