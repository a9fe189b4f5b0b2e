import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import styles from './line-gate.module.css'

/**
 * Catches a fault of the screen itself: says so, and that nothing was sent by it; the rest of
 * Keydesk works on.
 */
export class PageGuard extends Component<
  { children: ReactNode; name?: string },
  { failed: boolean }
> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div className={styles.full}>
        <main className={styles.card} role="alert">
          <div>
            <h1>This page can’t be shown</h1>
            <p>
              The screen made a mistake. Nothing was sent by it, and jobs go on in the core. Show
              the page again; when it fails again, restart Keydesk.
            </p>
            <Button onClick={() => this.setState({ failed: false })}>Show it again</Button>
          </div>
        </main>
      </div>
    )
  }
}
