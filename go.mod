module github.com/gradtui/gradtui

go 1.26
