/** The console: starts the frame. */
import { render } from 'preact'
import { onSessionEnd } from './app/api.ts'
import { Frame } from './app/frame.tsx'
import { listenToKeys } from './app/keyboard.ts'
import { followLinks } from './app/location.ts'
import { sayWhoIsSignedIn, sessionEnd } from './app/session-dialog.tsx'
import './style/base.css'
import './style/frame.css'
import './style/parts.css'
import './style/pages.css'

onSessionEnd(sessionEnd)
sayWhoIsSignedIn()
followLinks()
listenToKeys()
const app = document.getElementById('app')
if (app !== null) render(<Frame />, app)
