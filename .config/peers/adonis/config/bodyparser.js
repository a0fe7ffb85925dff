/** Settings of the body parser: those of the framework. */
import { defineConfig } from '@adonisjs/core/bodyparser'

export default defineConfig({})
