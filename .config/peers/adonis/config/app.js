/** Settings of the HTTP server: those of the framework. */
import { defineConfig } from '@adonisjs/core/http'

export const http = defineConfig({})
