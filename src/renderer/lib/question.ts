import { create } from 'zustand'

/** A question on screen, and how to answer it. */
export interface Question<Subject, Answer = boolean> {
  subject: Subject
  /** Closes the question. */
  answer: (answer: Answer) => void
}

/**
 * A question that any page can ask and one dialog of the window shows. Asking another one answers
 * the one on screen with `no`.
 */
export function createQuestion<Subject, Answer>(no: Answer) {
  type Asked = Question<Subject, Answer>
  const useAsked = create<{ question: Asked | null }>(() => ({ question: null }))
  return {
    /** Resolves to the person's answer. */
    ask: (subject: Subject): Promise<Answer> =>
      new Promise((resolve) => {
        useAsked.getState().question?.answer(no)
        const answer = (given: Answer): void => {
          useAsked.setState({ question: null })
          resolve(given)
        }
        useAsked.setState({ question: { subject, answer } })
      }),
    useQuestion: (): Asked | null => useAsked(({ question }) => question),
  }
}
