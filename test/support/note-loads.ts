/** Preloaded into a process: writes the URL of each module that it loads, one a line, to the file that `NOTE_LOADS` names. */
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env.NOTE_LOADS ?? ''

registerHooks({
  load(url, context, next) {
    if (!url.startsWith('node:')) appendFileSync(file, `${url}\n`)
    return next(url, context)
  }
})
