import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/controls/buttons/button.tsx'
import styles from '../connection/connection-gate.module.css'

type Props = {
  children: ReactNode
  /** The address of the page: another page is shown although this one failed. */
  place?: string
}
type State = { failed: boolean; place: string | undefined }

/**
 * Catches rendering errors of a page. It says that nothing was sent because of the error; all other
 * parts of Keydesk keep working.
 */
export class PageGuard extends Component<Props, State> {
  override state: State = { failed: false, place: this.props.place }

  static getDerivedStateFromError(): Pick<State, 'failed'> {
    return { failed: true }
  }

  static getDerivedStateFromProps({ place }: Props, before: State): State | null {
    return place === before.place ? null : { failed: false, place }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div className={styles.full}>
        <main className={styles.card} role="alert">
          <div>
            <h1>This page can’t be shown</h1>
            <p>
              The page failed to render. Nothing was sent because of this, and background jobs
              continue. Show the page again. If it fails again, restart Keydesk.
            </p>
            <Button onClick={() => this.setState({ failed: false })}>Show the page again</Button>
          </div>
        </main>
      </div>
    )
  }
}
