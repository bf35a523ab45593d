// Pictures of the gallery (web/pictures, 320 x 200) and of the documentation (docs/images), made by the page itself.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openPage } from './browser.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
// when each scene shows best [s]; 0.6 where nothing is said
const moments = { first: 0.9, spheres: 0.7, shapes: 0.9, marble_run: 1.2, gripper: 1.2, quadruped: 0.8, double_pendulum: 1.5, planar_rod: 0.4,
  golf_ball: 1.5, orbit: 2, spring_mass: 0.5, pyramid: 0.05, heavy_stack: 0.05, terrain: 0.7, heavy_chain: 0.9, slider_crank: 0.4, ragdoll: 2.35, stewart_platform: 0.3, four_bar: 0.5, motor_stop: 0.8,
  mixed_pile: 0.35, card_house: 0.1, domino_run: 0.6, conveyor: 1.2, bowls: 1.5, rattleback: 0.5, euler_disk: 0.4, tippe_top: 1.5, falling_rod: 0.4,
  four_balls: 0.3, disc_and_polygon: 0.8, two_spheres: 1.1, drifting_chain: 3, pendulum_impacts: 0.7, newtons_cradle: 0.55, billiard_break: 0.35, bouncing_balls: 0.75, bouncing_ball: 0.75, superball: 0.3, gear_train: 0.8, breakable_bridge: 1.3, bead_on_wire: 0.7 };
const overlays = { orbit: 't', heavy_chain: 't', slider_crank: 'j', four_bar: 'j', double_pendulum: 't', pendulum_impacts: 't', two_spheres: 't', bead_on_wire: 't', gear_train: 'j' };  // keys of what is switched on

export default async function pictures({ serve, names }) {
  const server = await serve(), { page, load, close } = await openPage(server.address, { size: { width: 1140, height: 600 } });
  const canvas = await page.evaluate(() => { const { clientWidth, clientHeight } = document.getElementById('picture'); return { width: clientWidth, height: clientHeight }; });
  await page.setViewportSize({ width: 1140, height: 600 + Math.round(canvas.width * 0.625) - canvas.height });  // as wide as the pictures are for their height
  mkdirSync(`${root}web/pictures`, { recursive: true });
  const play = async (until) => {
    await page.click('#play');
    await page.waitForFunction((t) => window.stiction.state.frame.numbers[0] >= t, until, { timeout: 120000 });
    await page.click('#play');
    await page.evaluate((t) => {  // the frame asked for, not the one that came after it
      const line = document.getElementById('timeline');
      line.value = t, line.dispatchEvent(new Event('input'));
    }, until);
    await page.waitForTimeout(400);
  };
  for (const { scene } of JSON.parse(readFileSync(`${root}web/gallery.json`, 'utf8'))) {
    if (names.length && !names.includes(scene)) continue;
    await load(scene);
    for (const key of overlays[scene] ?? '') await page.keyboard.press(key);
    await play(moments[scene] ?? 0.6);
    const data = await page.evaluate(() => {
      const from = document.getElementById('picture'), to = Object.assign(document.createElement('canvas'), { width: 320, height: 200 });
      const scale = Math.min(from.width / 320, from.height / 200), w = 320 * scale, h = 200 * scale;
      to.getContext('2d').drawImage(from, (from.width - w) / 2, (from.height - h) / 2, w, h, 0, 0, 320, 200);
      return to.toDataURL('image/webp', 0.8);
    });
    writeFileSync(`${root}web/pictures/${scene}.webp`, Buffer.from(data.split(',')[1], 'base64'));
    for (const key of overlays[scene] ?? '') await page.keyboard.press(key);
    console.log(scene);
  }
  const finish = async () => { await close(); server.stop(); };
  if (names.length) return finish();
  await page.setViewportSize({ width: 1200, height: 740 });
  await load('first');
  for (const key of ['c', 'f', 'l']) await page.keyboard.press(key);
  await play(1);
  await page.screenshot({ path: `${root}docs/images/page.jpg`, quality: 82 });
  await page.setViewportSize({ width: 390, height: 780 });
  await page.keyboard.press('l');
  await load('shapes');
  await play(0.9);
  await page.screenshot({ path: `${root}docs/images/page-phone.jpg`, quality: 82 });
  await finish();
}
