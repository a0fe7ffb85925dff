/** Nothing is logged, as in the other applications. */
import { defineConfig } from '@adonisjs/core/logger'

export default defineConfig({ default: 'app', loggers: { app: { enabled: false } } })
