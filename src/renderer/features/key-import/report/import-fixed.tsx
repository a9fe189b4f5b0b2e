import { useLocation } from 'wouter'
import type { Import } from '../../../../contract/keys/import-records.ts'
import { LinkButton } from '../../../ui/controls/buttons/button.tsx'

/** Starts an import for the corrected lines, to the same offer if the import had only one. */
export function ImportFixed({ work: { offers } }: { work: Import }) {
  const [, go] = useLocation()
  const [only, ...more] = offers
  return (
    <LinkButton
      title="Lines that were uploaded before are skipped"
      onClick={() =>
        go(
          only === undefined || more.length > 0
            ? '/import'
            : `/import?offer=${encodeURIComponent(only.offerId)}`,
        )
      }
    >
      Import the fixed lines…
    </LinkButton>
  )
}
