#!/usr/bin/env node
/**
 * `svc-generate <folder>`, as fastify-cli's `generate` is called: `svc create app`, named for its folder. Plain JavaScript
 * that any Node can read: the command itself refuses a Node that is too old.
 */
const [folder, ...options] = process.argv.slice(2)
const isFolder = folder !== undefined && !folder.startsWith('-')

process.argv.splice(
  2,
  process.argv.length,
  'create',
  'app',
  ...(isFolder ? ['--dir', folder] : [folder ?? []].flat()),
  ...options
)
await import('./svc.js')
