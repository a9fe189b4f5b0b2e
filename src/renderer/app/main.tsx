import './styles.ts'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { hearOfPlaces } from '../lib/asked-place.ts'
import { App } from './app.tsx'

// The content security policy forbids code generated from strings.
z.config({ jitless: true })

hearOfPlaces()

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
