import './trusted-types.ts'
import './theme/styles.ts'
import { createRoot } from 'react-dom/client'
import { listenForPageRequests } from '../lib/requested-page.ts'
import { App } from './app.tsx'
import { splitFragment } from './pages/hash-routing.ts'
import { preloadHome } from './pages/page-routes.tsx'
import { homePath } from './pages/pages.ts'

listenForPageRequests()
// The home page loads while the window connects to the core.
if (['/', homePath].includes(splitFragment(location.hash).path)) preloadHome()

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
