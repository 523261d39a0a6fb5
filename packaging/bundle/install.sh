#!/bin/sh
# Installs Pet Store Desktop for the person who runs this, without any rights of an administrator: ./install.sh
# Takes it away again: ./install.sh --remove (what you keep in it stays, in ~/.local/share/petstore-desktop).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=petstore-desktop
home=${XDG_DATA_HOME:-$HOME/.local/share}
place=$HOME/.local/lib/$name
icons=$home/icons/hicolor/scalable/apps

remove() {
    rm -rf "$place" "$place.new" "$place.old"
    rm -f "$HOME/.local/bin/$name" "$home/applications/$name.desktop" "$icons/$name.svg"
}

if [ "${1:-}" = --remove ]; then
    remove
    echo "Pet Store Desktop is removed. Your data is still in $home/$name"
    exit 0
fi
mkdir -p "$HOME/.local/lib" "$HOME/.local/bin" "$home/applications" "$icons"
# The new one is complete before it takes the place of the old one: a full disk or a stop in between leaves that.
rm -rf "$place.new" "$place.old"
trap 'rm -rf "$place.new"' EXIT
cp -R "$here/$name" "$place.new"
if [ -e "$place" ]; then mv "$place" "$place.old"; fi
mv "$place.new" "$place"
rm -rf "$place.old"
ln -sf "$place/$name" "$HOME/.local/bin/$name"
cp "$here/$name.svg" "$icons/$name.svg"
sed "s|^\(Try\)\{0,1\}Exec=$name|\1Exec=$place/$name|" "$here/$name.desktop" > "$home/applications/$name.desktop"
echo "Pet Store Desktop is installed. Start it from the menu, or as $HOME/.local/bin/$name"
