import { type ReactNode, useState } from 'react'
import type {
  DisputeDetail,
  DisputeTemplate,
  FilledTemplate,
} from '../../../../contract/disputes/dispute-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { needsLanguageChoice } from '../words.ts'
import { LanguageDialog } from './language-dialog.tsx'

/**
 * Fills in a template in the customer's language. If the template doesn't have it, or the language
 * isn't known, a dialog asks for another one.
 */
export function useTemplate(
  { accountId, disputeId, name, language }: DisputeDetail,
  onFilled: (filled: FilledTemplate, template: DisputeTemplate) => void,
): { use: (template: DisputeTemplate) => void; dialog: ReactNode } {
  const [asking, setAsking] = useState<DisputeTemplate | null>(null)
  const fill = (template: DisputeTemplate, chosen: string | null): void =>
    void rpc.disputes
      .fillTemplate({
        accountId,
        disputeId,
        templateId: template.templateId,
        ...(chosen === null ? {} : { language: chosen }),
      })
      .then(
        (filled) => onFilled(filled, template),
        (error: unknown) => void toastProblem(problemOf(error), name),
      )
  return {
    use: (template) => {
      if (needsLanguageChoice(template, language)) setAsking(template)
      else fill(template, language)
    },
    dialog:
      asking === null ? null : (
        <LanguageDialog
          template={asking}
          language={language}
          onClose={() => setAsking(null)}
          onChoose={(chosen) => {
            setAsking(null)
            // The dialog gives the focus back before the answer field takes it.
            setTimeout(() => fill(asking, chosen))
          }}
        />
      ),
  }
}
