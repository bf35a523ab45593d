// Debian's Chromium, without a screen.
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../web/package.json', import.meta.url))('playwright-core');

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });

/** `before`: runs in the page ahead of its own scripts. */
export async function openPage(address, { size = { width: 1280, height: 800 }, before = null, touch = false } = {}) {
  const browser = await launch();
  const page = await browser.newPage({ viewport: size, colorScheme: 'light', hasTouch: touch });
  if (before) await page.addInitScript(before);
  const errors = [];
  page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(address);
  const loaded = () => page.waitForFunction(() => window.stiction?.state.frame && window.stiction.state.description, null, { timeout: 30000 });
  await loaded();
  /** A scene of the gallery, by its card. */
  const load = async (scene) => {
    const before = await page.evaluate(() => { window.stiction.state.frame = null; return window.stiction.state.sceneId; });
    await page.click('#open-gallery');
    await page.click(`.card[data-scene="${scene}"]`);
    await page.waitForFunction((id) => window.stiction.state.sceneId > id && window.stiction.state.frame, before, { timeout: 120000 });  // the step that runs ends first
  };
  return { page, errors, load, close: () => browser.close() };
}
