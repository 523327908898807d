import type { Config } from './config.js';

declare module '../platform/http/services.js' {
  interface Services {
    readonly config: Config;
  }
}
