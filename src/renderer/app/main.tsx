import './trusted-types.ts'
import './theme/styles.ts'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { listenForPageRequests } from '../lib/requested-page.ts'
import { App } from './app.tsx'

// The content security policy forbids code generated from strings.
z.config({ jitless: true })

listenForPageRequests()

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
